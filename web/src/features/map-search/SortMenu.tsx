import type { ComponentProps } from 'react'
import { Button } from '@/ui'
import { SortIcon } from '@/ui/icons'
import { onDemand } from '@/ui/onDemand'
import { type SettingsProps, sortOptionOf } from './searchSettings'

const SortMenuItems = onDemand(() => import('./SortMenuItems'))

export function SortMenu(props: SettingsProps) {
  const { opened, buttonProps } = SortMenuItems.useOpened()
  const label = sortOptionOf(props.settings)?.label
  const button = (attributes: ComponentProps<typeof Button>) => (
    <Button variant="outline" bg="bg.panel" px={{ base: '3', md: '4' }} aria-label={`Sort: ${label}`} {...attributes}>
      <SortIcon /> {label}
    </Button>
  )
  if (!opened) return button({ ...buttonProps, 'aria-haspopup': 'menu' })
  return <SortMenuItems.Component {...props} button={button({})} />
}
