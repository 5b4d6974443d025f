import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Flex, IconButton } from '@/ui'
import { GridIcon, ListIcon } from '@/ui/icons'
import type { MapView } from './queries'

const VIEWS = [
  { name: 'cards', label: msg`Card view`, Icon: GridIcon },
  { name: 'list', label: msg`List view`, Icon: ListIcon },
] as const

export function ViewToggle({ view, onView }: { view: MapView; onView: (view: MapView) => void }) {
  return (
    <Flex role="group" aria-label={t`View`} gap={{ base: '0', md: '1' }}>
      {VIEWS.map(({ name, label, Icon }) => (
        <IconButton
          key={name}
          variant={view === name ? 'subtle' : 'ghost'}
          aria-label={i18n._(label)}
          aria-pressed={view === name}
          onClick={() => onView(name)}
        >
          <Icon />
        </IconButton>
      ))}
    </Flex>
  )
}
