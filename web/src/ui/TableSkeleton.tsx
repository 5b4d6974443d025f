import { Skeleton, Table } from './index'
import { range } from './range'

interface Props {
  rows: number
  /** The width of the bar in each column. */
  cells: readonly string[]
  /** The height of a row with its content, so that nothing moves when it is loaded. */
  rowHeight: string
}

/** The rows of a table that is loading. */
export function TableSkeleton({ rows, cells, rowHeight }: Props) {
  return range(rows).map((row) => (
    <Table.Row key={row} aria-hidden="true" bg="transparent" style={{ height: rowHeight }}>
      {cells.map((width, cell) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not change
        <Table.Cell key={cell}>
          <Skeleton h="5" style={{ width }} />
        </Table.Cell>
      ))}
    </Table.Row>
  ))
}
