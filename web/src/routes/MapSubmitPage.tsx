import { Explanation } from '@/features/submit/Explanation'
import { MapForm } from '@/features/submit/MapForm'
import { HOW_TO_SUBMIT_A_MAP, MAP_RULES, REPLAY_RULES } from '@/features/submit/texts'
import { Grid, Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'

export default function MapSubmitPage() {
  usePageTitle('Map Validation')
  return (
    <>
      <PageHeading hint="Prove with a finish of your own that the map can be finished, and it joins the others.">
        Map Validation
      </PageHeading>
      <Stack gap="6">
        <Grid columns={{ base: 1, md: 2 }} gap="4" alignItems="start">
          <Explanation title="How to submit a map" sentences={HOW_TO_SUBMIT_A_MAP} numbered />
          <Explanation title="Rules" sentences={[...MAP_RULES, ...REPLAY_RULES]} />
        </Grid>
        <MapForm />
      </Stack>
    </>
  )
}
