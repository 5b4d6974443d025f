import { NavLink, type NavLinkProps } from 'react-router'
import styles from './items.module.css'

// The site's sections, as the navigation names them.
const sections = [
  { to: '/', label: 'Home' },
  { to: '/map-search', label: 'Maps' },
  { to: '/player-search', label: 'Players' },
  { to: '/mapSeries', label: 'MapSeries' },
  { to: '/events', label: 'Events' },
]

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
      {/* biome-ignore lint/a11y: a link that leads nowhere yet */}
      <a className={styles.disabled} role="link" aria-disabled="true">
        Create Map Series
      </a>
    </>
  )
}

function Item(props: NavLinkProps) {
  return <NavLink className={styles.item} {...props} />
}
