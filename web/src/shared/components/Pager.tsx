import { Button, IconButton } from './Button'
import { ArrowLeftIcon, ArrowRightIcon } from './icons'
import styles from './Pager.module.css'

const SIBLINGS = 1

interface Props {
  page: number
  pages: number
  label: string
  onPage: (page: number) => void
}

// Pager leads to numbered pages. There is none where everything fits on one.
export function Pager({ page, pages, label, onPage }: Props) {
  if (pages <= 1) return null
  return (
    <nav aria-label={label} className={styles.pager}>
      <IconButton
        look="ghost"
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <ArrowLeftIcon />
      </IconButton>
      {pageNumbers(page, pages).map((number, i) =>
        number === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a gap is nothing but its place
          <span key={`gap ${i}`} className={styles.gap} aria-hidden="true">
            …
          </span>
        ) : (
          <Button
            key={number}
            look={number === page ? 'solid' : 'ghost'}
            className={styles.number}
            aria-label={`Page ${number}`}
            aria-current={number === page ? 'page' : undefined}
            onClick={() => onPage(number)}
          >
            {number}
          </Button>
        ),
      )}
      <IconButton
        look="ghost"
        aria-label="Next page"
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <ArrowRightIcon />
      </IconButton>
    </nav>
  )
}

// pageNumbers lists the first page, the last, and the current one with its neighbours; null is a gap.
export function pageNumbers(page: number, pages: number): (number | null)[] {
  const shown = [1, pages]
  for (let n = page - SIBLINGS; n <= page + SIBLINGS; n++) shown.push(n)
  const sorted = [...new Set(shown)].filter((n) => n >= 1 && n <= pages).sort((a, b) => a - b)
  return sorted.flatMap((n, i) => {
    const gap = n - (sorted[i - 1] ?? n - 1)
    if (gap === 2) return [n - 1, n]
    return gap > 2 ? [null, n] : [n]
  })
}
