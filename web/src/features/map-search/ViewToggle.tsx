import { Flex, IconButton } from '@/ui'
import { GridIcon, ListIcon } from '@/ui/icons'
import type { MapView } from './searchSettings'

interface Props {
  view: MapView
  onView: (view: MapView) => void
}

export function ViewToggle({ view, onView }: Props) {
  return (
    <Flex role="group" aria-label="View" gap={{ base: '0', md: '1' }}>
      <IconButton
        variant={view === 'cards' ? 'subtle' : 'ghost'}
        aria-label="Card view"
        aria-pressed={view === 'cards'}
        onClick={() => onView('cards')}
      >
        <GridIcon />
      </IconButton>
      <IconButton
        variant={view === 'list' ? 'subtle' : 'ghost'}
        aria-label="List view"
        aria-pressed={view === 'list'}
        onClick={() => onView('list')}
      >
        <ListIcon />
      </IconButton>
    </Flex>
  )
}
