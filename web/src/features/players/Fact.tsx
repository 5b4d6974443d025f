import type { ReactNode } from 'react'
import { DataList } from '@/ui'

/** One value of a player below its label, in a DataList.Root. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <DataList.Item flexDirection="column" gap="0">
      <DataList.ItemLabel textStyle="xs">{label}</DataList.ItemLabel>
      <DataList.ItemValue textStyle="md" fontWeight="semibold">
        {children}
      </DataList.ItemValue>
    </DataList.Item>
  )
}
