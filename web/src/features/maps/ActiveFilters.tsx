import { Button, chakra, Flex } from '@chakra-ui/react'
import { useRef } from 'react'
import { CloseIcon } from '@/shared/components/icons'
import type { SearchSettings } from './searchSettings'

interface Props {
  settings: SearchSettings
  onChange: (changed: Partial<SearchSettings>) => void
  // Called when the last one has been taken away, and the focus with it.
  onEmptied: () => void
}

// ActiveFilters shows each filter as a chip that can be taken away. The focus goes on to the chip beside it.
export function ActiveFilters({ settings, onChange, onEmptied }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const { name, author, gameMode, tags } = settings
  const chips: { text: string; without: Partial<SearchSettings> }[] = [
    ...(name ? [{ text: `Name: ${name}`, without: { name: '' } }] : []),
    ...(gameMode ? [{ text: `Mode: ${gameMode}`, without: { gameMode: '' as const } }] : []),
    ...(author ? [{ text: `Author: ${author}`, without: { author: '' } }] : []),
    ...tags.map((tag) => ({ text: `#${tag}`, without: { tags: tags.filter((other) => other !== tag) } })),
  ]
  if (chips.length === 0) return null

  const remove = (at: number) => {
    const buttons = list.current?.querySelectorAll('button') ?? []
    const beside = buttons[at + 1] ?? buttons[at - 1]
    if (beside) beside.focus()
    else onEmptied()
    onChange(chips[at]?.without ?? {})
  }
  return (
    <chakra.ul ref={list} display="flex" flexWrap="wrap" gap="2" aria-label="Active filters">
      {chips.map(({ text }, at) => (
        <Chip key={text} text={text} onRemove={() => remove(at)} />
      ))}
    </chakra.ul>
  )
}

function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <li>
      <Button
        size="xs"
        variant="subtle"
        rounded="full"
        aria-label={`Remove filter ${text}`}
        onClick={onRemove}
        maxW="18rem"
      >
        <Flex as="span" truncate display="block">
          {text}
        </Flex>
        <CloseIcon />
      </Button>
    </li>
  )
}
