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

/** A value with its label, in Facts or another DataList.Root, whose orientation says how they stand. */
export function Fact({ label, strong = false, children }: Props) {
  return (
    <DataList.Item minW="0">
      <DataList.ItemLabel textStyle="xs">{label}</DataList.ItemLabel>
      <DataList.ItemValue
        flex="0 1 auto"
        alignItems="center"
        gap="1"
        flexWrap="wrap"
        fontVariantNumeric="tabular-nums"
        textStyle={strong ? 'md' : undefined}
        fontWeight={strong ? 'semibold' : undefined}
      >
        {children}
      </DataList.ItemValue>
    </DataList.Item>
  )
}
