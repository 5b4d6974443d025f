import { t } from '@lingui/core/macro'
import { Flex, Tag } from '@/ui'
import { CloseIcon } from '@/ui/icons'
import { chipsOf, type SettingsProps } from './queries'

/** Each active filter as a tag with a remove button. */
export function ActiveFilters({ settings, onChange }: SettingsProps) {
  const chips = chipsOf(settings)
  if (chips.length === 0) return null
  return (
    <Flex as="ul" wrap="wrap" gap="2" aria-label={t`Active filters`}>
      {chips.map(({ text, without }) => (
        <Tag.Root
          key={text}
          as="li"
          size="lg"
          variant="subtle"
          colorPalette="gray"
          rounded="full"
          maxW="18rem"
          h="auto"
          minH="8"
        >
          <Tag.Label whiteSpace="normal">{text}</Tag.Label>
          <Tag.CloseTrigger type="button" aria-label={t`Remove filter ${text}`} onClick={() => onChange(without)}>
            <CloseIcon size={4} />
          </Tag.CloseTrigger>
        </Tag.Root>
      ))}
    </Flex>
  )
}
