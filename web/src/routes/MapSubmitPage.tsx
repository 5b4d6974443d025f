import { SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { Explanation, Points, Steps } from '@/features/submit/Explanation'
import { MapForm } from '@/features/submit/MapForm'
import { HOW_TO_SUBMIT_A_MAP, MAP_RULES, REPLAY_RULES } from '@/features/submit/texts'
import { useLoginRequired } from '@/features/submit/useLoginRequired'
import { WithChakra } from '@/shared/chakra/WithChakra'
import { LoadingScreen } from '@/shared/components/LoadingScreen'
import { PageHeading } from '@/shared/components/PageHeading'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Map Validation')
  const welcome = useLoginRequired('You must be logged in to validate maps.')
  if (!welcome) return <LoadingScreen text="Loading authentication..." />
  return (
    <WithChakra>
      <Stack gap="6">
        <Stack gap="2">
          <PageHeading>Map Validation</PageHeading>
          <Text color="fg.muted" maxW="3xl">
            Show with a run of your own that the map can be finished, and it joins the others.
          </Text>
        </Stack>
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="4" alignItems="start">
          <Explanation title="How to submit a map">
            <Steps steps={HOW_TO_SUBMIT_A_MAP} />
          </Explanation>
          <Explanation title="Rules">
            <Points points={[...MAP_RULES, ...REPLAY_RULES]} />
          </Explanation>
        </SimpleGrid>
        <MapForm />
      </Stack>
    </WithChakra>
  )
}
