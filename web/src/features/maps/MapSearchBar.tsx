import { Button, Flex, IconButton, Menu } from '@chakra-ui/react'
import { GridIcon, ListIcon, SortIcon } from '@/shared/components/icons'
import { type SearchSettings, sortOptions } from './searchSettings'
import type { MapView } from './useMapSearch'

// SortMenu chooses the order. What the server could do but the site does not offer yet stands there disabled.
export function SortMenu({
  settings,
  onChange,
}: {
  settings: SearchSettings
  onChange: (c: Partial<SearchSettings>) => void
}) {
  const value = `${settings.sortBy}-${settings.sortDir}`
  const current = sortOptions.find((option) => option.value === value)
  const choose = (chosen: string) => {
    const option = sortOptions.find((candidate) => candidate.value === chosen)
    if (option) onChange({ sortBy: option.sortBy, sortDir: option.sortDir })
  }
  return (
    <Menu.Root positioning={{ placement: 'bottom-end' }} lazyMount>
      <Menu.Trigger asChild>
        <Button
          variant="outline"
          bg="bg.panel"
          px={{ base: '3', md: '4' }}
          aria-label={`Sort: ${current?.label}`}
        >
          <SortIcon /> {current?.label}
        </Button>
      </Menu.Trigger>

      <Menu.Positioner>
        <Menu.Content minW="14rem">
          <Menu.RadioItemGroup value={value} onValueChange={(details) => choose(details.value)}>
            {sortOptions.map((option) => (
              <Menu.RadioItem key={option.value} value={option.value} disabled={option.disabled ?? false}>
                {option.label}
                <Menu.ItemIndicator />
              </Menu.RadioItem>
            ))}
          </Menu.RadioItemGroup>
        </Menu.Content>
      </Menu.Positioner>
    </Menu.Root>
  )
}

export function ViewToggle({ view, onView }: { view: MapView; onView: (view: MapView) => void }) {
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
