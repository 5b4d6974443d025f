import { Button } from './Button'
import styles from './PageSteps.module.css'

interface Props {
  page: number
  pages: number
  label: string
  onPage: (page: number) => void
}

// PageSteps leads through a table of runs page by page, and tells how many there are.
export function PageSteps({ page, pages, label, onPage }: Props) {
  const step = (name: string, to: number, off: boolean) => (
    <Button look="field" size="sm" className={styles.step} disabled={off} onClick={() => onPage(to)}>
      {name}
    </Button>
  )
  return (
    <nav aria-label={label} className={styles.steps}>
      {step('First', 1, page <= 1)}
      {step('Previous', page - 1, page <= 1)}
      <span className={styles.place} aria-live="polite">
        Page {page} of {pages}
      </span>
      {step('Next', page + 1, page >= pages)}
      {step('Last', pages, page >= pages)}
    </nav>
  )
}
