import type { ReactElement, ReactNode } from 'react'
import { Skeleton, Table } from './index'
import { range } from './range'

interface Props {
  label: string
  /** The header of each column. */
  head: (string | ReactElement)[]
  /** The rows; undefined while they load. */
  children: ReactNode
  /** The rows that are shown meanwhile: as high as those with content, with a bar of this width in each cell. */
  skeleton: { rows: number; height: string; widths: readonly string[] }
}

/** A list as a table. */
export function ListTable({ label, head, children, skeleton }: Props) {
  return (
    <Table.ScrollArea>
      <Table.Root aria-label={label} aria-busy={!children}>
        <Table.Header>
          <Table.Row>
            {head.map((cell) =>
              typeof cell === 'string' ? <Table.ColumnHeader key={cell}>{cell}</Table.ColumnHeader> : cell,
            )}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {children ??
            range(skeleton.rows).map((row) => (
              <Table.Row key={row} aria-hidden="true" style={{ height: skeleton.height }}>
                {skeleton.widths.map((width, cell) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not change
                  <Table.Cell key={cell}>
                    <Skeleton h="5" style={{ width }} />
                  </Table.Cell>
                ))}
              </Table.Row>
            ))}
        </Table.Body>
      </Table.Root>
    </Table.ScrollArea>
  )
}
