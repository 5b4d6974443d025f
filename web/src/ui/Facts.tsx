import type { ReactNode } from 'react'
import { DataList, styled } from './basics'

/** Facts beside each other, each a value below its label. */
export const Facts = styled(DataList.Root, {
  base: { display: 'flex', flexDirection: 'row', flexWrap: 'wrap', columnGap: '8', rowGap: '3' },
})

interface Props {
  label: string
  /** The value is what the visitor looks for. */
  strong?: boolean
  children: ReactNode
}

/** A value below its label, in Facts or another DataList.Root. */
export function Fact({ label, strong = false, children }: Props) {
  return (
    <DataList.Item flexDirection="column" gap="0">
      <DataList.ItemLabel textStyle="xs">{label}</DataList.ItemLabel>
      {strong ? (
        <DataList.ItemValue textStyle="md" fontWeight="semibold">
          {children}
        </DataList.ItemValue>
      ) : (
        <DataList.ItemValue>{children}</DataList.ItemValue>
      )}
    </DataList.Item>
  )
}
