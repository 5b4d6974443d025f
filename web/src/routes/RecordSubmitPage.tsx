import { useParams } from 'react-router'
import { useGetMapQuery } from '@/api'
import { errorText, isNotFound } from '@/api/error'
import { useErrorToast } from '@/api/useErrorToast'
import { Explanation } from '@/features/submit/Explanation'
import { RecordForm } from '@/features/submit/RecordForm'
import { HOW_TO_GET_A_REPLAY, RECORD_FILE_RULE, REPLAY_RULES } from '@/features/submit/texts'
import { Grid, Skeleton, Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { ButtonLink } from '@/ui/links'
import { EmptyMessage, ErrorAlert } from '@/ui/messages'
import { paths } from './paths'

const messages = { refused: 'Failed to load map data', unreachable: 'Failed to load map data' }

export default function RecordSubmitPage() {
  const { mapId } = useParams()
  const { currentData, error, refetch } = useGetMapQuery({ id: mapId ?? '' }, { skip: !mapId })
  const map = currentData?.data ?? null
  const title = map ? `Submit Record for ${map.name}` : 'Submit Record'
  usePageTitle(title)
  useErrorToast(error, messages)
  const heading = (
    <PageHeading hint="Every record is kept. The leaderboard shows the best of each player.">{title}</PageHeading>
  )
  if (isNotFound(error)) {
    return (
      <>
        {heading}
        <EmptyMessage title="Map not found" hint="There is no such map, so that no record can be submitted for it.">
          <ButtonLink to={paths.recordSubmit}>Submit for another map</ButtonLink>
        </EmptyMessage>
      </>
    )
  }
  return (
    <>
      {heading}
      <Stack gap="6">
        <Grid columns={{ base: 1, md: 2 }} gap="4" alignItems="start">
          <Explanation title="How to obtain a replay" sentences={HOW_TO_GET_A_REPLAY} numbered open />
          <Explanation title="Upload rules" sentences={[RECORD_FILE_RULE, ...REPLAY_RULES]} open />
        </Grid>
        {!mapId || map ? (
          // Another map begins with new state.
          <RecordForm key={mapId} mapId={mapId} map={map} />
        ) : error ? (
          <ErrorAlert text={errorText(error, messages)} onRetry={refetch} />
        ) : (
          <Skeleton h="9rem" />
        )}
      </Stack>
    </>
  )
}
