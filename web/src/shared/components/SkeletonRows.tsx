import { Skeleton } from './Skeleton'

interface Props {
  rows: number
  // One for each column: how wide the bar in it is, where there is one.
  cells: { w?: string; className?: string | undefined }[]
}

// SkeletonRows stand in a table whose rows are being loaded.
export function SkeletonRows({ rows, cells }: Props) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus
    // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its place
    <tr key={row} aria-hidden="true">
      {cells.map(({ w, className }, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: and so is a cell
        <td key={column} className={className}>
          {w && <Skeleton h="1.25rem" w={w} />}
        </td>
      ))}
    </tr>
  ))
}
