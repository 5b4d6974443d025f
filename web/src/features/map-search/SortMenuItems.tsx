import { Menu } from '@chakra-ui/react'
import type { ReactElement } from 'react'
import { WithChakra } from '@/ui/WithChakra'
import { sortOptions } from './searchSettings'

interface Props {
  /** The label of the current option. */
  label: string | undefined
  onChoose: (label: string) => void
  button: ReactElement
}

/** The menu of SortMenu. It opens when it is mounted. */
export default function SortMenuItems({ label, onChoose, button }: Props) {
  return (
    <WithChakra>
      <Menu.Root positioning={{ placement: 'bottom-end' }} defaultOpen lazyMount>
        <Menu.Trigger asChild>{button}</Menu.Trigger>
        <Menu.Positioner>
          <Menu.Content minW="14rem">
            <Menu.RadioItemGroup value={label ?? ''} onValueChange={(details) => onChoose(details.value)}>
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
