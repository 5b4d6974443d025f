import { SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { useParams } from 'react-router'
import { Explanation, Points, Steps } from '@/features/submit/Explanation'
import { RecordForm } from '@/features/submit/RecordForm'
import { HOW_TO_GET_A_REPLAY, RECORD_FILE_RULE, REPLAY_RULES } from '@/features/submit/texts'
import { useLoginRequired } from '@/features/submit/useLoginRequired'
import { useGetMapQuery } from '@/shared/api'
import { WithChakra } from '@/shared/chakra/WithChakra'
import { LoadingScreen } from '@/shared/components/LoadingScreen'
import { PageHeading } from '@/shared/components/PageHeading'
import { usePageTitle } from '@/shared/lib/usePageTitle'
import { useProblemToast } from '@/shared/lib/useProblemToast'

export function Component() {
  const { mapId } = useParams()
  const { currentData, error } = useGetMapQuery({ id: mapId ?? '' }, { skip: !mapId })
  const map = currentData?.data ?? null
  const title = map ? `Submit Record for ${map.name}` : 'Submit Record'
  usePageTitle(title)
  useProblemToast(error, { failed: 'Failed to load map data', broken: 'Failed to load map data' })
  const welcome = useLoginRequired('You must be logged in to submit records.')
  if (!welcome) return <LoadingScreen text="Loading authentication..." />
  return (
    <WithChakra>
      <Stack gap="6">
        <Stack gap="2">
          <PageHeading>{title}</PageHeading>
          <Text color="fg.muted" maxW="3xl">
            Every run is kept. The leaderboard shows the best of each player.
          </Text>
        </Stack>
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="4" alignItems="start">
          <Explanation title="How to obtain a replay" open>
            <Steps steps={HOW_TO_GET_A_REPLAY} />
          </Explanation>
          <Explanation title="Upload rules" open>
            <Points points={[RECORD_FILE_RULE, ...REPLAY_RULES]} />
          </Explanation>
        </SimpleGrid>
        <RecordForm key={mapId} mapId={mapId} map={map} />
      </Stack>
    </WithChakra>
  )
}
