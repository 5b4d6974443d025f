import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { Flex, Tag } from '@/ui'
import { CloseIcon } from '@/ui/icons'
import { chipsOf, type SettingsProps } from './searchSettings'

interface Props extends SettingsProps {
  /** Called when the last one has been removed, and the focus with it. */
  onEmptied: () => void
}

/** Each active filter as a tag with a remove button. The focus moves on to the tag beside it. */
export function ActiveFilters({ settings, onChange, onEmptied }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const chips = chipsOf(settings)
  if (chips.length === 0) return null

  const remove = (at: number) => {
    const buttons = list.current?.querySelectorAll('button') ?? []
    const beside = buttons[at + 1] ?? buttons[at - 1]
    if (beside) beside.focus()
    else onEmptied()
    onChange(chips[at]?.without ?? {})
  }
  return (
    <Flex as="ul" ref={list} wrap="wrap" gap="2" aria-label={t`Active filters`}>
      {chips.map(({ text }, at) => (
        <Tag.Root key={text} as="li" size="lg" variant="subtle" colorPalette="brand" rounded="full" maxW="18rem">
          <Tag.Label truncate>{text}</Tag.Label>
          <Tag.CloseTrigger type="button" aria-label={t`Remove filter ${text}`} onClick={() => remove(at)}>
            <CloseIcon size={4} />
          </Tag.CloseTrigger>
        </Tag.Root>
      ))}
    </Flex>
  )
}
