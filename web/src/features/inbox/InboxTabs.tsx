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

/** A page of the inbox: its heading, and links to the others. */
export function InboxTabs({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <Stack gap="6">
      <PageHeading>{title}</PageHeading>
      <Flex as="nav" aria-label={t`Pages about your inbox`} gap="1" wrap="wrap">
        <NavLink end className={tab} to={paths.inbox}>
          <Trans>Inbox</Trans>
        </NavLink>
        <NavLink className={tab} to={paths.following}>
          <Trans>Following</Trans>
        </NavLink>
        <NavLink className={tab} to={paths.inboxSettings}>
          <Trans>Settings</Trans>
        </NavLink>
      </Flex>
      {children}
    </Stack>
  )
}
