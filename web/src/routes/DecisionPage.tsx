import { useParams } from 'react-router'
import { OwnDecisionView } from '@/features/decisions/OwnDecisionView'

export default function DecisionPage() {
  const { decisionId = '' } = useParams()
  return <OwnDecisionView key={decisionId} decisionId={decisionId} />
}
