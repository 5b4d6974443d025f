import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Explanation } from '@/features/submit/Explanation'
import { MapForm } from '@/features/submit/MapForm'
import { howToSubmitAMap, mapRules, replayRules } from '@/features/submit/texts'
import { Grid, Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'

export default function MapSubmitPage() {
  usePageTitle(t`Map Validation`)
  return (
    <>
      <PageHeading hint={t`Prove with a finish of your own that the map can be finished, and it joins the others.`}>
        <Trans>Map Validation</Trans>
      </PageHeading>
      <Stack gap="6">
        <Grid columns={{ base: 1, md: 2 }} gap="4" alignItems="start">
          <Explanation title={t`How to submit a map`} sentences={howToSubmitAMap()} numbered />
          <Explanation title={t`Rules`} sentences={[...mapRules(), ...replayRules()]} />
        </Grid>
        <MapForm />
      </Stack>
    </>
  )
}
