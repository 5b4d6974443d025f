import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Link, NavLink, type NavLinkProps, useLocation } from 'react-router'
import { paths } from '@/routes/paths'
import { css } from '@/ui'

/** The style of an entry of the navigation. The underline marks the current page or section besides its colour. */
export const itemStyle = css({
  display: 'flex',
  alignItems: 'center',
  gap: '1',
  h: '11',
  px: '3',
  rounded: 'l2',
  color: 'fg.muted',
  textStyle: 'sm',
  fontWeight: 'semibold',
  transition: 'colors',
  cursor: 'pointer',
  '&:is(:hover, [aria-expanded=true]):not([aria-disabled])': { bg: 'bg.muted', color: 'fg' },
  _focusVisible: { outline: '2px solid', outlineColor: 'brand.focusRing', outlineOffset: '-2px' },
  '&:is([aria-current=page], [aria-current=true])': {
    color: 'brand.fg',
    textDecoration: 'underline',
    textDecorationThickness: '2px',
    textUnderlineOffset: '0.375rem',
  },
  '&[aria-disabled]': { cursor: 'not-allowed', opacity: 0.75 },
})

interface Section {
  to: string
  label: MessageDescriptor
  /** The addresses of its pages that are not below its own address. */
  inside?: RegExp
}

const sections: Section[] = [
  { to: paths.home, label: msg`Home` },
  { to: paths.mapSearch, label: msg`Maps`, inside: /^\/(leaderboard|record)\// },
  { to: paths.playerSearch, label: msg`Players`, inside: /^\/(player|compare)\/|^\/rankings/ },
  { to: paths.mapSeries, label: msg`MapSeries` },
  { to: paths.events, label: msg`Events` },
]

export function SectionItems() {
  const { pathname } = useLocation()
  return sections.map(({ to, label, inside }) => (
    <li key={to}>
      <Link
        className={itemStyle}
        to={to}
        aria-current={pathname === to ? 'page' : pathname.startsWith(`${to}/`) || inside?.test(pathname)}
      >
        {i18n._(label)}
      </Link>
    </li>
  ))
}

/** The entries of the Submit menu, and of the last part of the mobile menu. */
export function SubmitItems() {
  return (
    <>
      <Item to={paths.recordSubmit}>{t`Submit Record`}</Item>
      <Item to={paths.mapSubmit}>{t`Submit Map`}</Item>
      {/* biome-ignore lint/a11y: a link without a target yet */}
      <span className={itemStyle} role="link" aria-disabled="true">{t`Create Map Series`}</span>
    </>
  )
}

function Item(props: NavLinkProps) {
  return <NavLink className={itemStyle} {...props} />
}
