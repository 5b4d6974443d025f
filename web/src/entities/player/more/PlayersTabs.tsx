import { t } from '@lingui/core/macro'
import { paths } from '@/routes/paths'
import { LinkTabs } from '@/ui/more/LinkTabs'

/** Links to the pages about all players. */
export function PlayersTabs({ path }: { path: string }) {
  const tabs = [
    { to: paths.playerSearch, text: t({ message: 'Search', context: 'page' }) },
    { to: paths.rankings, text: t`Rankings` },
    { to: paths.formula, text: t`How points work` },
  ]
  return <LinkTabs label={t`Pages about players`} tabs={tabs} current={path} />
}
