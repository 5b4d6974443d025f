import type { ReactNode } from 'react'
import styles from './TableFrame.module.css'

interface Props {
  label: string
  busy?: boolean
  // Rows are this high before their content comes, in the theme's steps of 4 px.
  rowHeight: number
  columns: (string | { title: string; className: string | undefined })[]
  children: ReactNode
}

// TableFrame is a table on a panel, which scrolls sideways where it is too wide. Its
// children are rows.
export function TableFrame({ label, busy, rowHeight, columns, children }: Props) {
  return (
    <div className={styles.frame} style={{ '--row-height': `${rowHeight / 4}rem` }}>
      <table className={styles.table} aria-label={label} aria-busy={busy}>
        <thead>
          <tr>
            {columns.map((column) => {
              const { title, className } = typeof column === 'string' ? { title: column } : column
              return (
                <th key={title} scope="col" className={className}>
                  {title}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
