import { useParams } from 'react-router'
import { WebhookView } from '@/features/settings/webhooks/WebhookView'

export default function WebhookPage() {
  const { webhookId = '' } = useParams()
  return <WebhookView key={webhookId} webhookId={webhookId} />
}
