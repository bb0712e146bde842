"""What trains a model: ``WTMF`` from texts, ``BilingualWMF`` from texts and their translations."""
