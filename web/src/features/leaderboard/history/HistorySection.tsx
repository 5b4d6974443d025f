import { Box, Button } from '@/ui'
import { SectionHeading } from '@/ui/headings'
import { onDemand } from '@/ui/onDemand'

const WorldRecordHistory = onDemand(() => import('./WorldRecordHistory'))

/** The history of a map's world record, which is loaded when it is opened. */
export function HistorySection({ mapId }: { mapId: string }) {
  const { opened, buttonProps } = WorldRecordHistory.useOpened()
  return (
    <Box as="section" mt="10">
      <SectionHeading
        aside={
          !opened && (
            <Button size="sm" variant="outline" {...buttonProps}>
              Show history
            </Button>
          )
        }
      >
        World record history
      </SectionHeading>
      {opened && <WorldRecordHistory.Component mapId={mapId} />}
    </Box>
  )
}
