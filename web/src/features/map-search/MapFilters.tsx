import type { ComponentProps } from 'react'
import { Badge, Button, VisuallyHidden } from '@/ui'
import { FilterIcon } from '@/ui/icons'
import { onDemand } from '@/ui/onDemand'
import { filterKinds, type SettingsProps } from './searchSettings'

const FilterPopover = onDemand(() => import('./FilterPopover'))

/** The button of the popover with all filters but the name, and the number of active kinds. */
export function MapFilters(props: SettingsProps) {
  const kinds = filterKinds(props.settings)
  const { opened, buttonProps } = FilterPopover.useOpened()
  const button = (attributes: ComponentProps<typeof Button>) => (
    <Button variant="outline" bg="bg.panel" px={{ base: '3', md: '4' }} {...attributes}>
      <FilterIcon /> Filters{' '}
      {kinds > 0 && (
        <Badge colorPalette="brand" variant="solid">
          {kinds} <VisuallyHidden>active</VisuallyHidden>
        </Badge>
      )}
    </Button>
  )
  if (!opened) return button({ ...buttonProps, 'aria-haspopup': 'dialog' })
  return <FilterPopover.Component {...props} button={button({})} />
}
