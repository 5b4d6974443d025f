import { useParams } from 'react-router'
import { useGetMapQuery } from '@/api'
import { useGetRecordEvidenceQuery } from '@/api/desk'
import { CaseView } from '@/features/desk/CaseView'
import { MapDrawing } from '@/features/leaderboard/viewer/MapDrawing'
import { VerificationCard } from '@/features/record/VerificationCard'
import { Panel } from '@/ui'

export default function DeskCasePage() {
  const { caseId = '' } = useParams()
  // Another case begins with new state.
  return (
    <CaseView
      key={caseId}
      caseId={caseId}
      checksOf={(recordId) => <Evidence recordId={recordId} />}
      drawingOf={(mapId) => <CaseMap mapId={mapId} />}
    />
  )
}

/** The checks of a record, also of one that is removed. */
function Evidence({ recordId }: { recordId: string }) {
  return <VerificationCard query={useGetRecordEvidenceQuery({ id: recordId })} open />
}

/** The drawing of the map of a case; a map that was removed has none. */
function CaseMap({ mapId }: { mapId: string }) {
  const map = useGetMapQuery({ id: mapId }).currentData?.data
  if (!map?.pictureUrl) return null
  return (
    <Panel overflow="hidden">
      <MapDrawing map={{ ...map, imageUrl: map.pictureUrl }} />
    </Panel>
  )
}
