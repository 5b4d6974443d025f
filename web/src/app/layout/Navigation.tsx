import { SectionItems, SubmitItems } from './items'
import styles from './Navigation.module.css'
import { SubmitMenu } from './SubmitMenu'

// Navigation is a bar under the banner on wide screens, and on narrow ones a panel under the header.
export function Navigation({ menuOpen }: { menuOpen: boolean }) {
  return (
    <nav id="site-navigation" aria-label="Site">
      <div className={styles.bar}>
        <div className={styles.row}>
          <ul className={styles.sections}>
            <SectionItems />
          </ul>
          <SubmitMenu />
        </div>
      </div>
      {menuOpen && (
        <div className={styles.panel}>
          <ul>
            <SectionItems />
          </ul>
          <p className={styles.title}>Submit</p>
          <SubmitItems />
        </div>
      )}
    </nav>
  )
}
