import { Button, Menu } from '@/ui'
import { SortIcon } from '@/ui/icons'
import { type SettingsProps, sortOptionOf, sortOptions } from './searchSettings'

/** The order of the maps, under a button that names it. */
export function SortMenu({ settings, onChange }: SettingsProps) {
  const label = sortOptionOf(settings)?.label ?? ''
  const choose = (label: string) => {
    const option = sortOptions.find((candidate) => candidate.label === label)
    if (option) onChange({ sortBy: option.sortBy, sortDir: option.sortDir })
  }
  return (
    <Menu.Root positioning={{ placement: 'bottom-end' }}>
      <Menu.Trigger asChild>
        <Button variant="outline" bg="bg.panel" px={{ base: '3', md: '4' }} aria-label={`Sort: ${label}`}>
          <SortIcon /> {label}
        </Button>
      </Menu.Trigger>
      <Menu.Content minW="14rem">
        <Menu.RadioItemGroup value={label} onValueChange={({ value }) => choose(value)}>
          {sortOptions.map((option) => (
            <Menu.RadioItem key={option.label} value={option.label} disabled={option.disabled ?? false}>
              {option.label}
              <Menu.ItemIndicator />
            </Menu.RadioItem>
          ))}
        </Menu.RadioItemGroup>
      </Menu.Content>
    </Menu.Root>
  )
}
