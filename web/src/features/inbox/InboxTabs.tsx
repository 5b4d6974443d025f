import { t } from '@lingui/core/macro'
import { paths } from '@/routes/paths'
import { type Elements, Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { LinkTabs } from '@/ui/more/LinkTabs'

/** A page of the inbox: its heading, and links to the others. */
export function InboxTabs({ title, path, children }: { title: string; path: string; children: Elements }) {
  usePageTitle(title)
  const tabs = [
    { to: paths.inbox, text: t`Inbox` },
    { to: paths.following, text: t`Following` },
    { to: paths.notificationSettings, text: t`Settings` },
  ]
  return (
    <Stack gap="6">
      <PageHeading>{title}</PageHeading>
      <LinkTabs label={t`Pages about your inbox`} tabs={tabs} current={path} />
      {children}
    </Stack>
  )
}
