import type { ComponentProps } from 'react'
import { Button, IconButton } from '@/shared/components/Button'
import { GridIcon, ListIcon, SortIcon } from '@/shared/components/icons'
import { onDemand } from '@/shared/lib/onDemand'
import bar from './BarButton.module.css'
import { type SearchSettings, sortOptions } from './searchSettings'
import type { MapView } from './useMapSearch'
import styles from './ViewToggle.module.css'

const SortMenuItems = onDemand(() => import('./SortMenuItems'))

interface SortProps {
  settings: SearchSettings
  onChange: (changed: Partial<SearchSettings>) => void
}

// SortMenu chooses the order.
export function SortMenu({ settings, onChange }: SortProps) {
  const [opened, opening] = SortMenuItems.useOpened()
  const value = `${settings.sortBy}-${settings.sortDir}`
  const current = sortOptions.find((option) => option.value === value)
  const choose = (chosen: string) => {
    const option = sortOptions.find((candidate) => candidate.value === chosen)
    if (option) onChange({ sortBy: option.sortBy, sortDir: option.sortDir })
  }
  const button = (props: ComponentProps<'button'>) => (
    <Button look="field" className={bar.button} aria-label={`Sort: ${current?.label}`} {...props}>
      <SortIcon /> {current?.label}
    </Button>
  )
  if (!opened) return button({ ...opening, 'aria-haspopup': 'menu' })
  return <SortMenuItems.Component value={value} onChoose={choose} button={button({})} />
}

export function ViewToggle({ view, onView }: { view: MapView; onView: (view: MapView) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div role="group" aria-label="View" className={styles.views}>
      <IconButton
        look={view === 'cards' ? 'subtle' : 'ghost'}
        aria-label="Card view"
        aria-pressed={view === 'cards'}
        onClick={() => onView('cards')}
      >
        <GridIcon />
      </IconButton>
      <IconButton
        look={view === 'list' ? 'subtle' : 'ghost'}
        aria-label="List view"
        aria-pressed={view === 'list'}
        onClick={() => onView('list')}
      >
        <ListIcon />
      </IconButton>
    </div>
  )
}
