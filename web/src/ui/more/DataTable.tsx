// biome-ignore-all lint/suspicious/noArrayIndexKey: columns keep their order, and two of them may have the same header
import { i18n, type MessageDescriptor } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { MouseEvent, ReactNode, Ref } from 'react'
import { useNavigate } from 'react-router'
import { styled } from 'styled-system/jsx'
import { table } from 'styled-system/recipes'
import { Box, Name, Skeleton } from '../basics'
import { ChevronDownIcon } from '../icons'
import { range } from '../lists'

// What a line of text with another one below it needs.
const ROW_HEIGHT = '2.75rem'

/** A column of a table: its header, its cells, and the bars in their place while the rows load. */
export interface Column<Row> {
  /** A text is a name. */
  header: MessageDescriptor | string
  /** The index is that on the page, and -1 for the pinned row. */
  cell: (row: Row, index: number) => ReactNode
  /** The width of the bar. */
  width: string
  /** Hides the column on narrower screens. */
  hideBelow?: 'sm' | 'md' | 'lg' | 'xl'
  align?: 'end'
  /** Takes the room that the others leave, and breaks what is longer. */
  grows?: boolean
  /** The text is less important than that of other columns. */
  muted?: boolean
  /** The server's name of the order by this column. */
  sortBy?: string
}

/** The order of the rows. The server has one direction for each. */
export interface Sorting {
  sortBy: string
  sortDir: 'asc' | 'desc'
  onSort: (sortBy: string) => void
}

interface Props<Row> {
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while they load. */
  rows: readonly Row[] | undefined
  idOf: (row: Row) => string
  /** A row of another page, such as the visitor's own, which is shown below the rows. */
  pinned?: Row | undefined
  /** How many rows are shown while they load, and how high each row is. */
  skeletonRows?: number
  rowHeight?: string
  /** The order that the server has sorted the rows by. */
  sorting?: Sorting
  /** The buttons at the end of a row. */
  actions?: (row: Row) => ReactNode
  /** Returns the page of what a row is about. Keyboards and screen readers need a link in the row besides. */
  to?: (row: Row) => string
  /** Reports whether a row is marked. */
  isCurrent?: (row: Row) => boolean
  /** Reports whether a row was added a moment ago. */
  isNew?: (row: Row) => boolean
  rowRef?: (row: Row) => Ref<HTMLTableRowElement> | undefined
  /** Returns how far a row's bar reaches, in percent of its width. */
  barOf?: (row: Row) => number | undefined
}

/** A list as a table. */
export function DataTable<Row>(props: Props<Row>) {
  const { label, columns, rows, idOf, pinned, skeletonRows = 0, rowHeight = ROW_HEIGHT } = props
  const { sorting, actions } = props
  return (
    <Box overflowX="auto">
      <table className={slots.root} aria-label={label} aria-busy={!rows}>
        <thead className={slots.header}>
          <Row>
            {columns.map((column, i) => (
              <Header
                key={i}
                hideBelow={column.hideBelow}
                align={column.align}
                data-long={(typeof column.header === 'string' && column.header.length > 12) || undefined}
                aria-sort={ariaSort(column, sorting)}
              >
                {sorting && column.sortBy ? (
                  <SortButton column={column} sorting={sorting} />
                ) : (
                  <HeaderText column={column} />
                )}
              </Header>
            ))}
            {actions && (
              <Header align="end">
                <styled.span srOnly>{t`Actions`}</styled.span>
              </Header>
            )}
          </Row>
        </thead>
        <tbody className={slots.body}>
          {rows
            ? rows.map((row, i) => <DataRow key={idOf(row)} row={row} index={i} table={props} />)
            : range(skeletonRows).map((row) => (
                <Row key={row} aria-hidden="true" style={{ height: rowHeight }}>
                  {columns.map((column, i) => (
                    <Cell key={i} hideBelow={column.hideBelow}>
                      <Skeleton h="5" style={{ width: column.width }} />
                    </Cell>
                  ))}
                  {actions && <Cell />}
                </Row>
              ))}
        </tbody>
        {pinned && (
          <PinnedBody>
            <DataRow row={pinned} index={-1} table={props} />
          </PinnedBody>
        )}
      </table>
    </Box>
  )
}

/** The header of a column in the active locale. */
const HeaderText = <Row,>({ column: { header } }: { column: Column<Row> }) =>
  typeof header === 'string' ? <Name>{header}</Name> : <span>{i18n._(header)}</span>

function DataRow<Row>({ row, index, table }: { row: Row; index: number; table: Props<Row> }) {
  const { columns, rowHeight = ROW_HEIGHT, actions, to, isCurrent, isNew, rowRef, barOf } = table
  const open = useRowLink(to?.(row))
  const bar = barOf?.(row)
  return (
    <BodyRow
      ref={rowRef?.(row)}
      style={{ height: rowHeight, backgroundSize: bar === undefined ? undefined : `${bar}% 3px` }}
      data-bar={bar !== undefined || undefined}
      tabIndex={rowRef ? -1 : undefined}
      aria-current={isCurrent?.(row) || undefined}
      data-new={isNew?.(row) || undefined}
      clickable={to !== undefined}
      onClick={open}
      onAuxClick={open}
    >
      {columns.map((column, i) => (
        <Cell key={i} hideBelow={column.hideBelow} align={column.align} muted={column.muted} grows={column.grows}>
          {column.cell(row, index)}
        </Cell>
      ))}
      {actions && <Cell align="end">{actions(row)}</Cell>}
    </BodyRow>
  )
}

/** Returns what opens a page at a click beside the links of a row, in a new tab where the click asks for one. */
function useRowLink(to: string | undefined) {
  const navigate = useNavigate()
  return (event: MouseEvent) => {
    const inControl = event.target instanceof Element && event.target.closest('a, button, input')
    if (!to || inControl || event.button > 1 || getSelection()?.toString()) return
    if (event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey) window.open(to, '_blank', 'noopener')
    else navigate(to)
  }
}

function SortButton<Row>({ column, sorting }: { column: Column<Row>; sorting: Sorting }) {
  const { sortBy = '' } = column
  const isSorted = sorting.sortBy === sortBy
  return (
    <Sort
      aria-disabled={isSorted || undefined}
      onClick={() => !isSorted && sorting.onSort(sortBy)}
      direction={isSorted ? sorting.sortDir : 'none'}
    >
      <HeaderText column={column} /> <ChevronDownIcon size={4} />
    </Sort>
  )
}

function ariaSort<Row>({ sortBy }: Column<Row>, sorting?: Sorting) {
  if (!sorting || !sortBy) return undefined
  if (sorting.sortBy !== sortBy) return 'none'
  return sorting.sortDir === 'asc' ? 'ascending' : 'descending'
}

const slots = table()
// One component for an element: each has hundreds of cells.
const slot = (name: keyof typeof slots) => ({ defaultProps: { className: slots[name] } })

const cellVariants = {
  hideBelow: {
    sm: { smDown: { display: 'none' } },
    md: { mdDown: { display: 'none' } },
    lg: { lgDown: { display: 'none' } },
    xl: { xlDown: { display: 'none' } },
  },
  // A number has one line.
  align: { end: { textAlign: 'end', overflowWrap: 'normal' } },
} as const

// A telephone of 320 px has room for six columns of numbers.
const narrow = { smDown: { px: '2' }, _narrowest: { px: '1' } } as const

const Header = styled(
  'th',
  {
    base: {
      whiteSpace: 'nowrap',
      overflowWrap: 'normal',
      ...narrow,
      // A long name has little more room than what is below it needs.
      '&[data-long]': {
        minW: '5rem',
        maxW: { base: '5rem', md: '14rem' },
        whiteSpace: 'normal',
        overflowWrap: 'anywhere',
      },
    },
    variants: cellVariants,
  },
  slot('columnHeader'),
)

const Cell = styled(
  'td',
  {
    base: { py: '1', lineHeight: '1.25', ...narrow },
    variants: {
      ...cellVariants,
      muted: { true: { color: 'fg.muted' } },
      // A cell of no width of its own, which gets what is left.
      grows: { true: { w: 'full', minW: '6rem', maxW: '0' } },
    },
  },
  slot('cell'),
)

const row = { bg: 'transparent' } as const

const Row = styled('tr', { base: row }, slot('row'))

const BodyRow = styled(
  'tr',
  {
    base: {
      ...row,
      outlineColor: 'brand.focusRing',
      _motionSafe: { transition: 'background-color 0.6s' },
      '&[data-new]': { bgColor: 'bg.emphasized' },
      _current: { bgColor: 'bg.muted', boxShadow: 'inset 3px 0 0 {colors.fg.muted}' },
    },
    variants: { clickable: { true: { cursor: 'pointer', _hover: { bgColor: 'bg.muted' } } } },
  },
  slot('row'),
)

const PinnedBody = styled(
  'tbody',
  {
    base: { borderTopWidth: '3px', borderTopStyle: 'double', borderColor: 'border.emphasized' },
  },
  slot('body'),
)

const Sort = styled('button', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    cursor: 'pointer',
    fontWeight: 'inherit',
    textAlign: 'inherit',
    whiteSpace: { base: 'normal', md: 'nowrap' },
    focusVisibleRing: 'outside',
    _disabled: { cursor: 'default' },
    '& svg': { transition: 'transform 0.15s' },
  },
  variants: {
    direction: {
      asc: { '& svg': { transform: 'rotate(180deg)' } },
      desc: {},
      none: { '& svg': { opacity: 0.4 } },
    },
  },
})
