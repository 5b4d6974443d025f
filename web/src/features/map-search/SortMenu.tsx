import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useSession } from '@/store/hooks'
import { Button, Menu } from '@/ui'
import { SortIcon } from '@/ui/icons'
import { type SearchSettings, type SettingsProps, sortOptionOf, sortOptions } from './queries'

/** The order of the maps, under a button that names it. */
export function SortMenu({ settings, onChange }: SettingsProps) {
  const user = useSession()
  const offered = sortOptions.filter(({ own }) => user || !own)
  const chosen = sortOptionOf(settings)
  const label = chosen ? i18n._(chosen.label) : ''
  const choose = (order: string) => {
    const option = sortOptions.find((candidate) => orderOf(candidate) === order)
    if (!option) return
    const { sortBy, sortDir, own } = option
    // Maps that were not played cannot be sorted by the own times.
    onChange({ sortBy, sortDir, ...(own && settings.progress === 'unplayed' && { progress: '' }) })
  }
  return (
    <Menu.Root positioning={{ placement: 'bottom-end' }}>
      <Menu.Trigger asChild>
        <Button variant="outline" bg="bg.panel" px={{ base: '3', md: '4' }} aria-label={t`Sort: ${label}`}>
          <SortIcon /> <span>{label}</span>
        </Button>
      </Menu.Trigger>
      <Menu.Content minW="14rem">
        <Menu.RadioItemGroup value={orderOf(settings)} onValueChange={({ value }) => choose(value)}>
          {offered.map((option) => (
            <Menu.RadioItem key={orderOf(option)} ps="8" value={orderOf(option)} disabled={option.disabled ?? false}>
              <span>{i18n._(option.label)}</span>
              <Menu.ItemIndicator />
            </Menu.RadioItem>
          ))}
        </Menu.RadioItemGroup>
      </Menu.Content>
    </Menu.Root>
  )
}

const orderOf = ({ sortBy, sortDir }: Pick<SearchSettings, 'sortBy' | 'sortDir'>) => `${sortBy} ${sortDir}`
