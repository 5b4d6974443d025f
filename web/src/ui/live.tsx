import { t } from '@lingui/core/macro'
import { type ComponentProps, useEffect, useState } from 'react'
import { styled } from 'styled-system/jsx'
import { Badge, Box, Button, type Elements } from './basics'

const MARKED_MS = 6000
const NONE: readonly string[] = []

/** The rows of a list that changes by itself. */
export interface LiveRows<Row> {
  /** The rows to show: while the visitor is at them, those from before. Undefined while they load. */
  rows: Row[] | undefined
  /** Reports whether a row was added a moment ago. */
  isNew: (row: Row) => boolean
  updated: boolean
  /** Newer rows are kept back. */
  waiting: boolean
  show: () => void
  area: Pick<ComponentProps<typeof Box>, 'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur'>
}

/**
 * Keeps rows from moving under a pointer or the focus: while one of them is in the area of the list, rows that were added
 * wait until it leaves, or until they are asked for. Another `list`, such as another page of it, is shown at once. The
 * rows are the same object until they change.
 */
export function useLiveRows<Row>(rows: Row[] | undefined, idOf: (row: Row) => string, list: string): LiveRows<Row> {
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const [shown, setShown] = useState({ list, rows, added: NONE })
  const before = shown.list === list ? shown.rows : undefined
  const ids = before && new Set(before.map(idOf))
  const added = ids && rows ? rows.map(idOf).filter((id) => !ids.has(id)) : NONE
  const waiting = (pointed || focused) && added.length > 0
  const show = () => setShown({ list, rows, added })
  if (!waiting && (shown.rows !== rows || shown.list !== list)) show()

  useEffect(() => {
    if (shown.added.length === 0) return
    const timer = setTimeout(() => setShown((now) => ({ ...now, added: NONE })), MARKED_MS)
    return () => clearTimeout(timer)
  }, [shown.added])

  return {
    rows: waiting ? before : rows,
    isNew: (row) => shown.added.includes(idOf(row)),
    updated: shown.added.length > 0,
    waiting,
    show,
    area: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(false)
      },
    },
  }
}

// It covers a corner, so that nothing moves when it appears.
const Corner = styled('div', { base: { position: 'absolute', zIndex: '1', top: '-3', insetEnd: '3' } })

interface AreaProps<Row> {
  live: LiveRows<Row>
  /** The button that shows the rows that wait. */
  waitingText: string
  children: Elements
}

/** The place of a list that changes by itself, with a mark that it has, or a button where newer rows wait. */
export function LiveArea<Row>({ live, waitingText, children }: AreaProps<Row>) {
  return (
    <Box position="relative" {...live.area}>
      {children}
      <Corner role="status">
        {live.waiting && (
          <Button
            size="xs"
            onClick={({ detail, currentTarget }) => {
              live.show()
              // The focus of a keyboard stays in the list. That of a pointer would keep rows back again.
              if (detail > 0) currentTarget.blur()
            }}
          >
            {waitingText}
          </Button>
        )}
      </Corner>
      {!live.waiting && live.updated && (
        <Corner>
          <UpdatedMark />
        </Corner>
      )}
    </Box>
  )
}

/** States that what is beside it has changed by itself. */
export function UpdatedMark() {
  return <Badge borderWidth="1px" bg="bg.panel" color="fg.muted">{t`Updated just now`}</Badge>
}

/** Reports whether a thing has changed a moment ago; another `id` is another thing. */
export function useJustUpdated(thing: unknown, id: string): boolean {
  const [seen, setSeen] = useState({ thing, id, updated: false })
  if (seen.thing !== thing || seen.id !== id) {
    setSeen({ thing, id, updated: seen.id === id && seen.thing !== undefined && thing !== undefined })
  }
  useEffect(() => {
    if (!seen.updated) return
    const timer = setTimeout(() => setSeen((now) => ({ ...now, updated: false })), MARKED_MS)
    return () => clearTimeout(timer)
  }, [seen.updated])
  return seen.updated
}
