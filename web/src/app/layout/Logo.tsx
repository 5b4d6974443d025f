import { Link } from 'react-router'
import { config } from '@/config'
import styles from './Logo.module.css'

// Logo leads home: the ball above its cap zone, and the site's name.
export function Logo() {
  return (
    <Link to="/" className={styles.logo} aria-label={`${config.siteName}, home`}>
      <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
        <rect width="32" height="32" rx="9" fill="#0e2a31" />
        <path d="M6 23h20" stroke="#28b3c1" strokeWidth="3" strokeLinecap="round" />
        <path d="M9 23a7 7 0 0 1 14 0" fill="#52cdd8" fillOpacity=".35" />
        <circle cx="16" cy="13" r="5.5" fill="#ffb84d" />
      </svg>
      <span className={styles.name}>{config.siteName}</span>
    </Link>
  )
}
