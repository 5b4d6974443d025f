import type { ComponentProps } from 'react'
import { Badge } from '@/shared/components/Badge'
import { Button } from '@/shared/components/Button'
import { FilterIcon } from '@/shared/components/icons'
import { onDemand } from '@/shared/lib/onDemand'
import text from '@/shared/theme/text.module.css'
import bar from './BarButton.module.css'
import { filterKinds, type SearchSettings } from './searchSettings'

const FilterPopover = onDemand(() => import('./FilterPopover'))

interface Props {
  settings: SearchSettings
  onChange: (changed: Partial<SearchSettings>) => void
  onClear: () => void
}

// MapFilters is the popover with everything that narrows a search but the name.
export function MapFilters(props: Props) {
  const kinds = filterKinds(props.settings)
  const [opened, opening] = FilterPopover.useOpened()
  const button = (attributes: ComponentProps<'button'>) => (
    <Button look="field" className={bar.button} {...attributes}>
      <FilterIcon /> Filters{' '}
      {kinds > 0 && (
        <Badge colour="brand" look="solid">
          {kinds} <span className={text.hidden}>active</span>
        </Badge>
      )}
    </Button>
  )
  if (!opened) return button({ ...opening, 'aria-haspopup': 'dialog' })
  return <FilterPopover.Component {...props} button={button({})} />
}
