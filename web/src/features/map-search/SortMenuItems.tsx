import { Menu } from '@chakra-ui/react'
import type { ReactElement } from 'react'
import { WithChakra } from '@/ui/WithChakra'
import { type SettingsProps, sortOptionOf, sortOptions } from './searchSettings'

/** The menu of SortMenu. It opens when it is mounted. */
export default function SortMenuItems({ settings, onChange, button }: SettingsProps & { button: ReactElement }) {
  const choose = (label: string) => {
    const option = sortOptions.find((candidate) => candidate.label === label)
    if (option) onChange({ sortBy: option.sortBy, sortDir: option.sortDir })
  }
  return (
    <WithChakra>
      <Menu.Root positioning={{ placement: 'bottom-end' }} defaultOpen lazyMount>
        <Menu.Trigger asChild>{button}</Menu.Trigger>
        <Menu.Positioner>
          <Menu.Content minW="14rem">
            <Menu.RadioItemGroup
              value={sortOptionOf(settings)?.label ?? ''}
              onValueChange={({ value }) => choose(value)}
            >
              {sortOptions.map((option) => (
                <Menu.RadioItem key={option.label} value={option.label} disabled={option.disabled ?? false}>
                  {option.label}
                  <Menu.ItemIndicator />
                </Menu.RadioItem>
              ))}
            </Menu.RadioItemGroup>
          </Menu.Content>
        </Menu.Positioner>
      </Menu.Root>
    </WithChakra>
  )
}
