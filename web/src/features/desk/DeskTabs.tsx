import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import { paths } from '@/routes/paths'
import { css, Flex, Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'

const tab = css({
  px: '3',
  py: '2',
  rounded: 'l2',
  textStyle: 'sm',
  fontWeight: 'semibold',
  color: 'fg.muted',
  focusVisibleRing: 'outside',
  _hover: { bg: 'bg.muted' },
  _currentPage: { bg: 'brand.subtle', color: 'brand.fg' },
})

/** A page of the moderators' desk: its heading, and links to the others. */
export function DeskTabs({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  usePageTitle(title)
  return (
    <Stack gap="6">
      <Flex wrap="wrap" align="center" justify="space-between" gap="3">
        <PageHeading>{title}</PageHeading>
        {aside}
      </Flex>
      <Flex as="nav" aria-label={t`Pages of the moderators' desk`} gap="1" wrap="wrap">
        <NavLink end className={tab} to={paths.desk}>
          <Trans>Cases</Trans>
        </NavLink>
        <NavLink className={tab} to={paths.deskAppeals}>
          <Trans>Appeals</Trans>
        </NavLink>
        <NavLink className={tab} to={paths.deskAudit}>
          <Trans>Audit log</Trans>
        </NavLink>
      </Flex>
      {children}
    </Stack>
  )
}
