import { t } from '@lingui/core/macro'
import { useLocation } from 'react-router'
import { paths } from '@/routes/paths'
import { LinkTabs } from '@/ui/more/LinkTabs'

/** Links to the pages of settings. */
export function SettingsMenu() {
  const { pathname } = useLocation()
  const tabs = [
    { to: paths.settings, text: t`Account` },
    { to: paths.notificationSettings, text: t`Notifications` },
    { to: paths.tokens, text: t`Tokens` },
    { to: paths.webhooks, text: t`Webhooks` },
    { to: paths.ownData, text: t`Data` },
  ]
  // A webhook has a page below that of all.
  const current = tabs.findLast(({ to }) => pathname.startsWith(to))?.to
  return <LinkTabs label={t`Settings`} tabs={tabs} current={current ?? pathname} beside />
}
