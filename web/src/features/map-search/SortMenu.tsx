import type { ComponentProps } from 'react'
import { Button } from '@/ui'
import { SortIcon } from '@/ui/icons'
import { onDemand } from '@/ui/onDemand'
import { type SearchSettings, sortOptions } from './searchSettings'

const SortMenuItems = onDemand(() => import('./SortMenuItems'))

interface Props {
  settings: SearchSettings
  onChange: (changed: Partial<SearchSettings>) => void
}

export function SortMenu({ settings, onChange }: Props) {
  const { opened, buttonProps } = SortMenuItems.useOpened()
  const current = sortOptions.find(({ sortBy, sortDir }) => sortBy === settings.sortBy && sortDir === settings.sortDir)
  const choose = (label: string) => {
    const option = sortOptions.find((candidate) => candidate.label === label)
    if (option) onChange({ sortBy: option.sortBy, sortDir: option.sortDir })
  }
  const button = (props: ComponentProps<typeof Button>) => (
    <Button
      variant="outline"
      bg="bg.panel"
      px={{ base: '3', md: '4' }}
      aria-label={`Sort: ${current?.label}`}
      {...props}
    >
      <SortIcon /> {current?.label}
    </Button>
  )
  if (!opened) return button({ ...buttonProps, 'aria-haspopup': 'menu' })
  return <SortMenuItems.Component label={current?.label} onChoose={choose} button={button({})} />
}
