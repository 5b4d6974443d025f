import { useEffect, useMemo } from 'react'

/** A row that the page scrolls to, once, when it is shown. */
export interface RowTarget {
  /** The id of its record. */
  id: string
  /** Tells requests for the same row apart: a link to the address that is open leads to the row again. */
  key: string | undefined
  ref: (row: HTMLTableRowElement | null) => void
}

/** Returns a request to scroll to a record's row, a new one when the key changes; null without an id. */
export function useRowTarget(id: string | null | undefined, key?: string): RowTarget | null {
  const target = useMemo(() => (id ? rowTarget(id, key) : null), [id, key])
  // What moves the focus and the page after a navigation has done so.
  useEffect(() => target?.start(), [target])
  return target
}

/** Returns a request that waits for start. */
export function rowTarget(id: string, key?: string): RowTarget & { start: () => void } {
  let started = false
  let reached = false
  let shown: HTMLTableRowElement | null = null
  const reach = () => {
    if (!shown || !started || reached) return
    reached = true
    shown.scrollIntoView({ block: 'center' })
    shown.focus({ preventScroll: true })
  }
  return {
    id,
    key,
    ref(row) {
      shown = row
      reach()
    },
    start() {
      started = true
      reach()
    },
  }
}
