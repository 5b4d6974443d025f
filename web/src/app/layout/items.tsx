import { chakra, type SystemStyleObject } from '@chakra-ui/react'
import { NavLink } from 'react-router'

// The site's sections, as the navigation names them.
export const sections = [
  { to: '/', label: 'Home' },
  { to: '/map-search', label: 'Maps' },
  { to: '/player-search', label: 'Players' },
  { to: '/mapSeries', label: 'MapSeries' },
  { to: '/events', label: 'Events' },
]

export const navigationItem = {
  display: 'flex',
  alignItems: 'center',
  gap: '1',
  px: '3',
  h: '11',
  textStyle: 'sm',
  fontWeight: 'semibold',
  color: 'fg.muted',
  rounded: 'l2',
  focusRing: 'inside',
  transition: 'color 0.15s, background 0.15s',
  _hover: { color: 'fg', bg: 'bg.muted' },
  _currentPage: { color: 'brand.fg' },
} satisfies SystemStyleObject

const Item = chakra(NavLink, { base: navigationItem })

export function SectionItems() {
  return sections.map(({ to, label }) => (
    <li key={to}>
      <Item to={to} end={to === '/'}>
        {label}
      </Item>
    </li>
  ))
}

// SubmitItems are the entries of the Submit menu, and of the mobile menu's last part.
export function SubmitItems() {
  return (
    <>
      <Item to="/replay-submit">Submit Record</Item>
      <Item to="/map-submit">Submit Map</Item>
      <chakra.span
        css={navigationItem}
        role="link"
        aria-disabled="true"
        cursor="not-allowed"
        opacity="0.75"
        _hover={{ bg: 'transparent' }}
      >
        Create Map Series
      </chakra.span>
    </>
  )
}
