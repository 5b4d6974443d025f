import type { ReactNode } from 'react'
import styles from './TableFrame.module.css'

interface Props {
  label: string
  busy?: boolean
  // Rows are this high before their content comes, in the theme's steps of 4 px.
  rowHeight: number
  columns: ReactNode
  children: ReactNode
}

// TableFrame is a table on a panel, which scrolls sideways where it is too wide. Its columns are header cells, its
// children rows.
export function TableFrame({ label, busy, rowHeight, columns, children }: Props) {
  return (
    <div className={styles.frame} style={{ '--row-height': `${rowHeight / 4}rem` }}>
      <table className={styles.table} aria-label={label} aria-busy={busy}>
        <thead>
          <tr>{columns}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
