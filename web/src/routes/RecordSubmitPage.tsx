import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { useGetMapQuery } from '@/api'
import { One } from '@/api/One'
import { useErrorToast } from '@/api/useErrorToast'
import { Explanation } from '@/features/submit/Explanation'
import { RecordForm } from '@/features/submit/RecordForm'
import { HOW_TO_GET_A_REPLAY, RECORD_FILE_RULE, REPLAY_RULES } from '@/features/submit/texts'
import { Grid, Skeleton, Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { paths } from './paths'

const messages = { refused: 'Failed to load map data', unreachable: 'Failed to load map data' }

export default function RecordSubmitPage() {
  const { mapId } = useParams()
  const query = useGetMapQuery({ id: mapId ?? '' }, { skip: !mapId })
  const map = query.currentData?.data
  const title = map ? `Submit Record for ${map.name}` : 'Submit Record'
  usePageTitle(title)
  useErrorToast(query.error, messages)
  return (
    <>
      <PageHeading hint="Every record is kept. The leaderboard shows the best of each player.">{title}</PageHeading>
      {mapId ? (
        <One
          query={query}
          messages={messages}
          skeleton={
            <Submission>
              <Skeleton h="9rem" />
            </Submission>
          }
          missing={
            <EmptyMessage title="Map not found" hint="There is no such map, so that no record can be submitted for it.">
              <ButtonLink to={paths.recordSubmit}>Submit for another map</ButtonLink>
            </EmptyMessage>
          }
        >
          {(map) => (
            <Submission>
              {/* Another map begins with new state. */}
              <RecordForm key={mapId} mapId={mapId} map={map} />
            </Submission>
          )}
        </One>
      ) : (
        <Submission>
          <RecordForm mapId={undefined} map={null} />
        </Submission>
      )}
    </>
  )
}

/** A form under what it needs and what its rules are. */
function Submission({ children }: { children: ReactNode }) {
  return (
    <Stack gap="6">
      <Grid columns={{ base: 1, md: 2 }} gap="4" alignItems="start">
        <Explanation title="How to obtain a replay" sentences={HOW_TO_GET_A_REPLAY} numbered open />
        <Explanation title="Upload rules" sentences={[RECORD_FILE_RULE, ...REPLAY_RULES]} open />
      </Grid>
      {children}
    </Stack>
  )
}
