import { Button, Flex } from '@chakra-ui/react'
import { CloseIcon } from '@/shared/components/icons'
import { isFiltered, type SearchSettings } from './searchSettings'

interface Props {
  settings: SearchSettings
  onChange: (changed: Partial<SearchSettings>) => void
}

// ActiveFilters shows each filter as a chip that can be taken away.
export function ActiveFilters({ settings, onChange }: Props) {
  if (!isFiltered(settings)) return null
  const { name, author, gameMode, tags } = settings
  return (
    <Flex as="ul" listStyleType="none" gap="2" wrap="wrap" aria-label="Active filters">
      {name && <Chip text={`Name: ${name}`} onRemove={() => onChange({ name: '' })} />}
      {gameMode && <Chip text={`Mode: ${gameMode}`} onRemove={() => onChange({ gameMode: '' })} />}
      {author && <Chip text={`Author: ${author}`} onRemove={() => onChange({ author: '' })} />}
      {tags.map((tag) => (
        <Chip
          key={tag}
          text={`#${tag}`}
          onRemove={() => onChange({ tags: tags.filter((other) => other !== tag) })}
        />
      ))}
    </Flex>
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
