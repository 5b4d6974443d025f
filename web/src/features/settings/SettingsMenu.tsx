import { t } from '@lingui/core/macro'
import { NavLink } from 'react-router'
import { paths } from '@/routes/paths'
import { css, Flex } from '@/ui'

const item = css({
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

/** Links to the pages of settings: a list beside the page, on narrow screens a row above it. */
export function SettingsMenu() {
  const pages = [
    { to: paths.settings, text: t`Account` },
    { to: paths.notificationSettings, text: t`Notifications` },
    { to: paths.tokens, text: t`Tokens` },
    { to: paths.webhooks, text: t`Webhooks` },
    { to: paths.ownData, text: t`Data` },
  ]
  return (
    <Flex
      as="nav"
      aria-label={t`Settings`}
      direction={{ base: 'row', md: 'column' }}
      wrap={{ base: 'wrap', md: 'nowrap' }}
      gap="1"
    >
      {pages.map(({ to, text }) => (
        <NavLink key={to} end={to === paths.settings} className={item} to={to}>
          {text}
        </NavLink>
      ))}
    </Flex>
  )
}
