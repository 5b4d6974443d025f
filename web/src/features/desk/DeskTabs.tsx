import { t } from '@lingui/core/macro'
import { useLocation } from 'react-router'
import { paths } from '@/routes/paths'
import { type Elements, Flex, Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { LinkTabs } from '@/ui/more/LinkTabs'

/** A page of the moderators' desk: its heading, and links to the others. */
export function DeskTabs({ title, aside, children }: { title: string; aside?: Elements; children: Elements }) {
  const { pathname } = useLocation()
  usePageTitle(title)
  const tabs = [
    { to: paths.desk, text: t`Cases` },
    { to: paths.deskAppeals, text: t`Appeals` },
    { to: paths.deskAudit, text: t`Audit log` },
  ]
  return (
    <Stack gap="6">
      <Flex wrap="wrap" align="center" justify="space-between" gap="3">
        <PageHeading>{title}</PageHeading>
        {aside}
      </Flex>
      <LinkTabs label={t`Pages of the moderators' desk`} tabs={tabs} current={pathname} />
      {children}
    </Stack>
  )
}
