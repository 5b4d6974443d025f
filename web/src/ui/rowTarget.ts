/** A row that the page scrolls to, once, when it is shown. */
export interface RowTarget {
  /** The id of its record. */
  id: string
  ref: (row: HTMLTableRowElement | null) => void
}

/** Returns a new request to scroll to a record's row. */
export function rowTarget(id: string): RowTarget {
  let reached = false
  return {
    id,
    ref(row) {
      if (!row || reached) return
      reached = true
      row.scrollIntoView({ block: 'center' })
      row.focus({ preventScroll: true })
    },
  }
}
